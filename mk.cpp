
typedef void (*V)(int,const double*,double*,long long);
typedef void (*W)(int,const float*,float*,long long);
extern "C" void chunks(V f,const double*a,double*o,long n,long c,long long m){for(long i=0;i<n;i+=c)f(c<n-i?c:n-i,a+i,o+i,m);}
extern "C" void chunksf(W f,const float*a,float*o,long n,long c,long long m){for(long i=0;i<n;i+=c)f(c<n-i?c:n-i,a+i,o+i,m);}
