/// Common given names, folded, from places where the vocabulary's languages are spoken or cards are printed in its letters. A
/// row that begins with one is likely a person's name.
enum GivenNames {
    private static let names: Set<String> = Set(
        """
        james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark paul steven
        andrew kenneth george kevin brian edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry
        justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron henry adam
        peter simon mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy sandra ashley emily
        kimberly margaret donna michelle carol amanda melissa deborah stephanie rebecca laura helen sharon cynthia kathleen amy
        angela shirley anna ruth brenda pamela nicole katherine samantha christine emma catherine virginia rachel janet maria
        heather diane julie olivia joyce victoria kelly lauren joan evelyn judith megan andrea cheryl hannah jacqueline martha
        gloria teresa sara janice julia grace judy theresa sophie charlotte lucy oliver harry lewis
        hans peter wolfgang klaus jurgen dieter manfred uwe helmut horst gunter gerhard heinz werner bernd frank rainer stefan
        andreas thomas michael markus matthias christian martin jorg sven dirk jens ralf oliver torsten florian sebastian tobias
        jan felix lukas maximilian jonas leon moritz philipp johannes franz josef karl friedrich wilhelm otto kurt ursula monika
        petra elisabeth sabine renate helga karin brigitte ingrid erika andrea gisela claudia susanne gabriele christa christine
        hildegard birgit heike stefanie katharina kathrin katrin anja silke martina tanja nicole julia melanie sandra lena marie
        sophie johanna eva barbara annette ulrike angelika cornelia franziska
        jean pierre michel andre philippe rene louis alain jacques bernard marcel daniel roger robert paul claude christian henri
        georges nicolas francois francoise laurent olivier pascal thierry eric bruno patrick vincent julien sebastien guillaume
        antoine mathieu alexandre benoit camille isabelle nathalie sylvie catherine monique valerie sandrine veronique nicole
        christelle celine stephanie aurelie emilie chloe lea manon juliette helene anne martine brigitte dominique jacqueline
        antonio jose manuel francisco david juan javier daniel carlos jesus alejandro miguel rafael pedro pablo angel sergio
        fernando jorge luis alberto alvaro diego adrian raul enrique ramon vicente ivan ruben oscar andres joaquin santiago
        eduardo victor roberto jaime mario ignacio marcos alfonso salvador ricardo carmen ana isabel dolores pilar josefa
        cristina marta lucia elena mercedes rosa raquel beatriz silvia patricia rocio monica alicia sonia natalia irene
        giuseppe giovanni mario luigi andrea angelo vincenzo pietro salvatore carlo franco domenico bruno paolo michele giorgio
        aldo sergio luciano marco matteo alessandro luca davide simone stefano francesco riccardo fabio massimo claudio giulia
        chiara francesca federica silvia valentina alessandra paola laura elisa martina sara giorgia ilaria roberta simona
        giovanna rosa lucia caterina
        joao luis paulo rui nuno tiago goncalo duarte vasco filipe henrique andre bruno ricardo hugo miguel pedro catarina
        ines mariana joana margarida sofia teresa rita filipa leonor beatriz renato thiago rodrigo gustavo leonardo marcelo
        fabiana juliana fernanda aline camila larissa leticia gabriela tatiana vanessa adriana renata luciana
        johannes jan pieter cornelis hendrik willem dirk gerrit jacob marinus kees henk piet sander bram daan sem thijs bas jeroen
        ben sam tom joe jim dave mike chris alex nick matt dan tony greg jeff steve phil ken jon pete doug ron ted tim rick rob jane
        sally wendy tracy paula claire neil ian craig sean shane graham stuart nigel trevor gavin duncan hugh alan allan barry bryan
        carl derek douglas ernest fred frederick gerald gordon howard jerome keith lawrence lloyd marvin maurice norman owen ralph
        russell stanley terry theodore todd travis walter warren wayne wesley zachary
        aarav abhishek aditya ajay akash akshay alok amar amit amol anand anil anita anjali ankit ankur anuj anup anurag aparna archana
        arjun arun arvind asha ashish ashok ashwin ayush balaji bharat bhavesh bhavin chetan darshan deepa deepak deepika devendra
        dhaval dilip dinesh divya farhan ganesh gaurav gautam geeta girish gopal govind harish harshad hemant hitesh imran irfan jagdish
        jatin jayesh jignesh jitendra kailash kalpesh kamal kapil karan karthik kavita keyur kiran kishore krishna lakshmi lalit
        mahendra mahesh manish manoj mayank meena mehul milind mohan mohit mukesh nandini naresh narendra naveen neha nikhil nilesh niraj
        nisha nitin omkar pankaj parag paresh piyush pooja pradeep prakash pramod pranav prashant praveen preeti priya priyanka puneet
        radha raghav rahul rajendra rajesh rajiv rakesh ramesh ravi rekha ritesh rohan rohit sachin sagar sameer sandeep sandhya
        sangeeta sanjay sanjeev santosh sapna satish saurabh seema shailesh shankar sharad sharath shilpa shreya shubham shyam siddharth
        sneha sonal subhash sudhir sujata sumit sunil sunita suraj suresh sushil swati tarun tejas tushar uday umesh usha varun venkat
        venkatesh vijay vikas vikram vinay vinod vipul vishal vivek yogesh
        ahmad muhammad mohamad mohammed mohamed abdul aisyah agus andi arif asep bambang budi dewi dian endang fajar hadi hendra heru indra
        irwan joko nur putri rahmat rizki siti slamet sulaiman wahyu yanto yudi yusuf zulkifli nurul azman faizal hafiz ismail rosli
        zainal omar khalid hassan hussein ibrahim mustafa youssef karim tariq samir nabil rashid fatima layla mariam aisha mehmet ahmet
        emre murat hakan burak deniz elif ayse fatma zeynep merve kemal orhan serkan tolga volkan
        ivan dmitri dmitry sergey sergei alexei alexey andrei andrey nikolai mikhail vladimir yuri igor oleg pavel boris anastasia
        ekaterina olga svetlana tatiana irina marina piotr krzysztof andrzej tomasz pawel stanislaw marcin michal grzegorz jerzy tadeusz
        lukasz rafal maciej marek katarzyna malgorzata agnieszka ewa magdalena joanna jiri petr jana zdenek vaclav jaroslav milan
        lars erik anders johan nils olof gunnar bjorn knut geir trond svein kjell mette hanne kirsten inger astrid mikael jukka timo
        pekka matti juha antti jari heikki hiroshi takashi kenji kazuo yuki akira naoki satoshi yoko keiko minh tuan linh huong thanh
        wouter maarten martijn joost ruud anouk femke lotte sanne fleur marieke annelies ingrid wilma saskia esther
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    static func contains(_ folded: String) -> Bool { names.contains(folded) }
}
